package io.holdfast.jfr;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import jdk.jfr.Label;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Relational;

/** Marks the field by which a search and its passes belong together. */
@MetadataDefinition
@Relational
@Label("Search Id")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface SearchId { }
