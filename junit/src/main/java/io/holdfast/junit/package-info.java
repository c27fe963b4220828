/** Tests that assert that something can be collected, and say what holds it when it cannot. */
package io.holdfast.junit;
