package io.holdfast;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/**
 * Log of people who may not have set up logging: without an SLF4J provider, what must be read goes to standard error instead of nowhere.
 */
final class HoldfastLog {
    private final Logger logger;

    private HoldfastLog(Logger logger) {
        this.logger = logger;
    }

    /** {@code holdfast} for one-liners, {@code holdfast.leak} for leaks. */
    static HoldfastLog named(String name) {
        return new HoldfastLog(LoggerFactory.getLogger(name));
    }

    void info(String line) {
        if (silent()) {
            System.err.println(line);
        } else {
            logger.info(line);
        }
    }

    void warn(String text) {
        if (silent()) {
            System.err.println(text);
        } else {
            logger.warn(text);
        }
    }

    void error(String line) {
        if (silent()) {
            System.err.println(line);
        } else {
            logger.error(line);
        }
    }

    boolean debugs() {
        return logger.isDebugEnabled();
    }

    void debug(String line) {
        logger.debug(line);
    }

    void debug(String line, Throwable details) {
        logger.debug(line, details);
    }

    private boolean silent() {
        return logger instanceof NOPLogger;
    }
}
