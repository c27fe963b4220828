package io.holdfast.refchains;

import io.holdfast.core.Counters;
import io.holdfast.core.StackLocals;

/** What one search holds: tables, frontier, and how far it has come. Dropped as a whole when the search is released. */
final class SearchRun {
    /** What the walk turns to next when its queue has run dry. */
    enum Stage { WALK, FIRST_LAP, SECOND_LAP, LOADERS, STACK_LOCALS, STACK_LAP, SOFT_REFERENTS, EXHAUSTED }

    /** There is a second lap if the first has met more than one new object in so many. */
    private static final int NEW_OBJECTS_DIVISOR = 64;

    final RootHolders holders;
    final VisitedTable table;
    final Lanes frontier = new Lanes();
    /**
     * Classes of custom loaders, whose turn comes when nothing else waits. Where an application is redeployed again and again there are tens of
     * thousands of them, each needs a plan of its own (a hundred times dearer than an object), and what leaks with a loader hangs on its objects first.
     */
    final Frontier classes = new Frontier();
    final HeapWalk walk;
    final RootWalk rootWalk;
    final ObjectPath path;
    private final SoftReferents softReferents;
    private final Rotation rotation;
    final ChainTracer tracer;
    private final Slice slice;
    private final RootShare share;
    private final Targets targets;
    private final StackLocals stackLocals;
    private final Counters counters;
    private final RotationSources sources;
    private Stage stage = Stage.WALK;
    private int admittedBefore;
    private boolean scanned;

    SearchRun(HeapReader reader, Roots roots, StackLocals stackLocals, PermanentClasses permanent, Targets targets, Slice slice, SearchSettings settings,
              RootShare share, WalkObserver observer, Counters counters) {
        this.slice = slice;
        this.share = share;
        this.targets = targets;
        this.stackLocals = stackLocals;
        this.counters = counters;
        holders = new RootHolders(permanent);
        table = new VisitedTable(settings.frontierCap());
        RotationSources sources = new RotationSources(table, counters);
        walk = new HeapWalk(reader, permanent, table, frontier, classes, targets, holders, sources, slice, settings, observer, counters);
        rootWalk = new RootWalk(reader, roots, stackLocals, permanent, walk, slice, share);
        path = new ObjectPath(table, holders, reader, new Outgoing(reader));
        softReferents = new SoftReferents(table, walk, path, slice);
        rotation = new Rotation(table, walk, path, slice, frontier, sources);
        this.sources = sources;
        tracer = new ChainTracer(reader, path, counters, settings);
    }

    boolean exhausted() {
        return stage == Stage.EXHAUSTED;
    }

    long bytes() {
        return table.bytes() + frontier.bytes() + classes.bytes();
    }

    /** Walks until the slice is over, an admission is refused, or nothing is left. */
    void expand() {
        while (!slice.over() && !walk.takeRefused() && stage != Stage.EXHAUSTED) {
            if (!frontier.isEmpty()) {
                expandHead();
            } else if (!rootWalk.completed() || rootWalk.underWay()) {
                return;
            } else if (!classes.isEmpty()) {
                nextClass();
            } else if (!turnToNext()) {
                return;
            }
        }
    }

    /** Reads again some of what has been read, until the slice is over or no more may be admitted. */
    void rotate() {
        if (stage.ordinal() < Stage.SOFT_REFERENTS.ordinal()) {
            rotation.run();
        }
    }

    private void expandHead() {
        frontier.choose();
        Object object = frontier.object();
        slice.read();
        if (object != null) {
            walk.expandHead(object);
        } else {
            counters.increment("refchains.frontier.died");
            // What hung below it may now hang on what has taken its place.
            int parent = table.parent(frontier.entry());
            if (parent >= 0) {
                sources.atRisk.add(parent);
            }
            walk.headDone();
            slice.advance();
        }
        frontier.headDone();
    }

    private void nextClass() {
        Object type = classes.object();
        if (type != null) {
            frontier.add(type, classes.entry(), 0);
        }
        classes.remove();
    }

    private boolean idle() {
        return frontier.isEmpty() && classes.isEmpty();
    }

    /** Ends the slice: nothing is held strongly any more. */
    void weaken() {
        walk.letGo();
        frontier.weaken();
        classes.weaken();
    }

    void dropPending() {
        frontier.clear();
        classes.clear();
    }

    /** The queue is empty: brings in what was left out so far. Returns false when the slice is over or an admission was refused. */
    private boolean turnToNext() {
        switch (stage) {
            case WALK -> enter(targets.outstanding() == 0 ? Stage.EXHAUSTED : Stage.FIRST_LAP);
            case FIRST_LAP -> enter(targets.outstanding() == 0 ? Stage.EXHAUSTED : muchIsNew() ? Stage.SECOND_LAP : lastResort());
            case SECOND_LAP -> enter(targets.outstanding() == 0 ? Stage.EXHAUSTED : lastResort());
            case LOADERS -> {
                if (!scanned) {
                    scanned = rootWalk.loaders();
                    return scanned || !idle();
                }
                enter(targets.outstanding() == 0 ? Stage.EXHAUSTED : targets.mostlyUnreached() ? Stage.STACK_LOCALS : Stage.SOFT_REFERENTS);
            }
            case STACK_LOCALS -> {
                if (!stackLocals.settled()) {
                    // Waiting for threads to look at their frames is no standstill.
                    slice.advance();
                    return false;
                }
                if (!scanned) {
                    scanned = rootWalk.stackLocals();
                    return scanned || !idle();
                }
                enter(targets.outstanding() == 0 ? Stage.EXHAUSTED : table.size() > admittedBefore ? Stage.STACK_LAP : Stage.SOFT_REFERENTS);
            }
            case STACK_LAP -> {
                if (!scanned) {
                    scanned = rootWalk.stackLocals();
                    return scanned || !idle();
                }
                enter(targets.outstanding() == 0 ? Stage.EXHAUSTED : Stage.SOFT_REFERENTS);
            }
            case SOFT_REFERENTS -> {
                if (!softReferents.run() || !idle()) {
                    return !idle();
                }
                enter(Stage.EXHAUSTED);
            }
            default -> { }
        }
        return true;
    }

    /** A lap costs as much as the walk. A few new objects are what any program makes meanwhile. */
    private boolean muchIsNew() {
        return table.size() - admittedBefore > admittedBefore / NEW_OBJECTS_DIVISOR;
    }

    /** Loaders and locals explain what no better root does: a search that has not all of those cannot tell. */
    private Stage lastResort() {
        return share.partial() ? Stage.SOFT_REFERENTS : Stage.LOADERS;
    }

    private void enter(Stage next) {
        stage = next;
        admittedBefore = table.size();
        scanned = false;
        switch (next) {
            case FIRST_LAP -> {
                walk.lap(Mark.FIRST_LAP);
                rootWalk.again();
            }
            case SECOND_LAP -> {
                walk.lap(Mark.SECOND_LAP);
                rootWalk.again();
            }
            // What the second lap has read again carries the mark: this one is for what the locals have brought.
            case STACK_LAP -> walk.lap(Mark.SECOND_LAP);
            default -> walk.lap(0);
        }
    }
}
