package io.holdfast.proofs;

/** What is held in {@link KnownLeaks}: it says where, so that the heap dump can tell whether a chain ends where it should. */
class Leaked {
    final String place;
    final Object itself = this;

    Leaked(String place) {
        this.place = place;
    }
}
