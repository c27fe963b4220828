package io.holdfast.refchains;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Defines copies of the classes below a name, records what it is asked for, and refuses what it is told to. */
final class CopyingLoader extends ClassLoader {
    private final String copied;
    private final String refused;
    private final List<String> asked = new ArrayList<>();

    CopyingLoader(String copied, String refused) {
        super(CopyingLoader.class.getClassLoader());
        this.copied = copied;
        this.refused = refused;
    }

    /** Names asked for since the last call. */
    List<String> takeAsked() {
        List<String> taken = List.copyOf(asked);
        asked.clear();
        return taken;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        asked.add(name);
        if (name.equals(refused)) {
            throw new ClassNotFoundException(name);
        }
        if (!name.startsWith(copied)) {
            return super.loadClass(name, resolve);
        }
        Class<?> known = findLoadedClass(name);
        if (known != null) {
            return known;
        }
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
