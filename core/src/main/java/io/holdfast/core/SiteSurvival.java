package io.holdfast.core;

/**
 * What became of the samples of one site.
 *
 * @param siteId    id of the site
 * @param admitted  samples taken so far
 * @param survivors samples that are alive and have survived at least one epoch
 * @param ages      distinct ages among the survivors
 * @param epochs    epochs since the site's first sample
 */
public record SiteSurvival(int siteId, long admitted, int survivors, int ages, long epochs) { }
