/**
 * The nouns every part of Holdfast shares, and the ports through which the parts meet. Depends on the JDK and SLF4J only.
 */
package io.holdfast.core;
