/** What Holdfast has found and what it costs, as meters of Micrometer. Tags are bounded: never a class, never a field. */
package io.holdfast.micrometer;
