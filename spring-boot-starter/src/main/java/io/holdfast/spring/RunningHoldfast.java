package io.holdfast.spring;

import io.holdfast.Holdfast;
import java.util.Optional;

/** The Holdfast whose findings this context shows: the one it started, one that was there before, or a bean of the application. */
@FunctionalInterface
interface RunningHoldfast {
    /** Empty before the application is ready, after the context is closed, and where Holdfast runs in another class loader or not at all. */
    Optional<Holdfast> get();
}
