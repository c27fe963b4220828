package io.holdfast.refchains;

import io.holdfast.core.StackLocal;
import io.holdfast.core.StackLocals;

/**
 * Meets the roots, resumable at any of them: static fields of application classes, then live threads, then statics of the JDK's classes. The class
 * list is taken once per search; classes in it cannot be unloaded, so holding it between slices pins nothing.
 */
final class RootWalk {
    /** Classes between two looks at the clock: a plan made for the first time takes as long as hundreds of reads. */
    static final int CLASSES_PER_CHECK = 8;

    private enum Stage { IDLE, APPLICATION_STATICS, THREADS, JDK_STATICS, DONE }

    private final HeapReader reader;
    private final Roots roots;
    private final StackLocals stackLocals;
    private final PermanentClasses permanent;
    private final HeapWalk walk;
    private final Slice slice;
    private final RootShare share;
    private Stage stage = Stage.IDLE;
    private Class<?>[] classes;
    private int position;
    private int field;
    private boolean completed;

    RootWalk(HeapReader reader, Roots roots, StackLocals stackLocals, PermanentClasses permanent, HeapWalk walk, Slice slice, RootShare share) {
        this.reader = reader;
        this.roots = roots;
        this.stackLocals = stackLocals;
        this.permanent = permanent;
        this.walk = walk;
        this.slice = slice;
        this.share = share;
    }

    /** Whether an enumeration has begun and not ended. */
    boolean underWay() {
        return stage != Stage.IDLE && stage != Stage.DONE;
    }

    /** Whether all roots have been met at least once. */
    boolean completed() {
        return completed;
    }

    /** Starts over with the classes known; new threads are met too. */
    void again() {
        stage = Stage.APPLICATION_STATICS;
        position = 0;
        field = 0;
    }

    /** Goes on until the slice is over, an admission is refused or all is done. Throws what the root source throws. */
    void run() {
        if (classes == null) {
            classes = roots.classes();
        }
        if (stage == Stage.IDLE) {
            again();
        }
        if (stage == Stage.APPLICATION_STATICS && statics(true)) {
            stage = Stage.THREADS;
        }
        if (stage == Stage.THREADS && threads()) {
            stage = Stage.JDK_STATICS;
            position = 0;
        }
        if (stage == Stage.JDK_STATICS && statics(false)) {
            stage = Stage.DONE;
            completed = true;
        }
    }

    private boolean statics(boolean ofApplication) {
        for (; position < classes.length; position++, field = 0) {
            Class<?> type = classes[position];
            if (!share.has(position) || permanent.ofApplication(type) != ofApplication || !permanent.contains(type)) {
                continue;
            }
            if (!statics(type)) {
                return false;
            }
            slice.advance();
            if (position % CLASSES_PER_CHECK == CLASSES_PER_CHECK - 1 && slice.check()) {
                position++;
                field = 0;
                return false;
            }
        }
        return true;
    }

    private boolean statics(Class<?> type) {
        slice.read();
        ClassPlan plan = reader.statics(type);
        for (; field < plan.fieldCount(); field++) {
            if (slice.over()) {
                return false;
            }
            if (!plan.mayLead(field) && !walk.readsLeafFields()) {
                continue;
            }
            Object value = reader.reference(type, plan.offset(field));
            slice.read();
            if (value != null && !walk.meetRoot(value, type, Link.ROOT_STATIC, field)) {
                return false;
            }
        }
        return true;
    }

    /** Starts anew each time; threads met before cost no budget. */
    private boolean threads() {
        for (Thread thread : roots.threads()) {
            slice.read();
            if (!share.has(System.identityHashCode(thread))) {
                continue;
            }
            if (!walk.meetRoot(thread, thread, Link.ROOT_THREAD, 0) || slice.over()) {
                return false;
            }
        }
        return true;
    }

    /** Locals of running methods, outermost frames first: roots for what nothing else leads to. Returns whether all were met. */
    boolean stackLocals() {
        for (StackLocal local : stackLocals.confirmed()) {
            Object object = local.object();
            slice.read();
            if (object != null && !walk.meetRoot(object, local, Link.ROOT_STACK, 0) || slice.over()) {
                return false;
            }
        }
        return true;
    }

    /** Custom loaders that nothing led to: last-resort roots. Returns whether all were met. */
    boolean loaders() {
        for (ClassLoader loader : roots.loaders()) {
            slice.read();
            if (!permanent.permanent(loader) && !walk.known(loader) && !walk.meetRoot(loader, loader, Link.ROOT_LOADER, 0) || slice.over()) {
                return false;
            }
        }
        return true;
    }
}
