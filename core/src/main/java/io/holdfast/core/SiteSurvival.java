package io.holdfast.core;

/**
 * What became of the samples of one site.
 *
 * @param siteId    id of the site
 * @param admitted  samples taken so far
 * @param survivors samples that are alive and have survived at least one epoch
 * @param ages      distinct ages among the survivors
 * @param epochs    epochs since the site's first sample
 * @param contexts  parts of the program seen to use the site, at least 1; more are told apart for sites in the JDK only. The more there are, the smaller
 *                  a share of the samples a leak in one of them has
 */
public record SiteSurvival(int siteId, long admitted, int survivors, int ages, long epochs, int contexts) {
    /** Of a site that one part of the program uses. */
    public SiteSurvival(int siteId, long admitted, int survivors, int ages, long epochs) {
        this(siteId, admitted, survivors, ages, epochs, 1);
    }
}
