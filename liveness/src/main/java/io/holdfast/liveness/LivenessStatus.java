package io.holdfast.liveness;

import java.util.List;

/**
 * What liveness tracking holds and knows, for reports. Immutable, without any object of the application.
 *
 * @param rows                objects tracked
 * @param capacity            rows there is memory for
 * @param maxRows             rows there may be at the most
 * @param epoch               finished collections
 * @param disproving          of these, collections that can clear the reference to any dead object
 * @param foldedEpoch         epoch of the last fold
 * @param folds               folds so far
 * @param epochSeconds        smoothed time between collections
 * @param undecodedStacks     stacks waiting for the next fold
 * @param suspicions          classes suspected now or lately
 * @param watchedThreads      threads whose samples pass the ratio
 * @param heapFloorRising     whether the heap in use after collections rises
 * @param secondsToExhaustion raw projection; -1 = none
 * @param floorBytes          heap in use after the newest collections, oldest first, at most 30
 * @param histories           classes with the most distinct ages, at most 20
 * @param bytesHeld           estimated memory of rows, stacks, and what is known of each context and class of a site; the latter as of the last fold
 */
public record LivenessStatus(int rows, int capacity, int maxRows, long epoch, long disproving, long foldedEpoch, long folds, double epochSeconds,
                             int undecodedStacks, int suspicions, int watchedThreads, boolean heapFloorRising, double secondsToExhaustion,
                             List<Long> floorBytes, List<ClassPopulation> histories, long bytesHeld) {
    public LivenessStatus {
        floorBytes = List.copyOf(floorBytes);
        histories = List.copyOf(histories);
    }
}
