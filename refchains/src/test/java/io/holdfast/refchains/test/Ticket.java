package io.holdfast.refchains.test;

/** A record: its fields can be read through trusted access only. */
public record Ticket(int number, Object content) { }
