package io.holdfast.jfr;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import jdk.jfr.Label;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Relational;

/** Marks the field by which an event names an allocation stack, which is written into the same chunk. */
@MetadataDefinition
@Relational
@Label("Stack Id")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface StackId { }
