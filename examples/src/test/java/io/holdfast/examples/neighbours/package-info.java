/** Other tools in the same JVM. */
package io.holdfast.examples.neighbours;
