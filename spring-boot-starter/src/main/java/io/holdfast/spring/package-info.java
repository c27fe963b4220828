/** Holdfast in Spring Boot 3.5, 4.0 and 4.1: starts with the application, stops with its context; endpoint, health, info and meters where they are wanted. */
package io.holdfast.spring;
