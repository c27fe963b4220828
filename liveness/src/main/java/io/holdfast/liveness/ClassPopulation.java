package io.holdfast.liveness;

import java.util.List;

/**
 * The history of one class, for reports.
 *
 * @param className           class
 * @param distinctAges        distinct ages among its surviving instances, fold by fold, oldest first, at most 30
 * @param growth              fitted growth over these folds
 * @param consecutivePositive folds in a row that cleared the growth bar
 * @param qualifyingThreads   threads that allocated the growth
 */
public record ClassPopulation(String className, List<Integer> distinctAges, double growth, int consecutivePositive, int qualifyingThreads) {
    public ClassPopulation {
        distinctAges = List.copyOf(distinctAges);
    }
}
