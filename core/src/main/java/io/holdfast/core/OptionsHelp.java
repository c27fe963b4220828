package io.holdfast.core;

/** The table of options, as {@code help} prints it. */
final class OptionsHelp {
    static final String TEXT = """
            Holdfast options: KEY=VALUE, separated by commas. None at all = the full leak finder.
            Keys are case-insensitive. The same words work as system properties: -Dholdfast.KEY=VALUE, or -Dholdfast.options=ALL.

            Engine (as soon as one of these is given, exactly what is given is active)
              memory=SIZE[:FLAGS[:RATIO]]   sample one allocation every SIZE bytes on average: 512k, 4m, 1g, or bytes; 0 = every one
                                            (default 524287). FLAGS: a = allocation events, l = follow live objects, L = also heap
                                            usage; none = a and l. RATIO 0.01..1.0 of the samples are followed (default 0.1)
              generations=true|false        follow survivor ages: finds leaking classes
              referencechains=true|false    find the references that hold them; activates nothing by itself. Sub-options, each as :KEY=N
                hops=N                      longest chain, 1..200000 (default 200)
                budget=N                    objects admitted per pass, 1..1000000 (default by heap size, from 1000)
                ttl=MS                      life of one search in milliseconds, 0 = unlimited (default by heap size, from 60000)
                framecap=N                  entries of the search's table, 1..65536000 (default by heap size, from 65536)
                pausetarget=MS              longest uninterrupted slice of work in milliseconds; pauses nobody (default 5), 0 = no limit
                painbudget=PERCENT          cost of searches, 0..100 % of wall-clock time (default 1)
                firstpassbudget=N           objects admitted from the roots, 0..1000000, 0 = derived from budget

            Output (does not change what is active)
              log=text|off                  leaks in the log (default text)
              report=FILE.json              JSON report, written at each new finding and at exit
              html=FILE.html                the same as a page
              jfr=FILE.jfr                  a recording of holdfast.* events only

            Behaviour (does not change what is active)
              enabled=true|false            master switch (default true)
              delay=SECONDS                 wait before the first sample, 0..31536000 (default 0)
              stacklocals=true|false        threads may name their own locals as roots (default true)
              tokens=true|false             sample every allocation site evenly (default true)
              sites=FILE                    learned allocation sites, read at start and kept up to date
              allsites=true|false           sampling by bytes counts at every allocating instruction, not only at those found hot;
                                            dear: up to twelve times slower where allocations would be optimised away (default false)
              confirm=jfr|jfr:all|off       ask the JVM once about a leak without chain (jfr:all: about every leak); this stops the application
                                            shortly (default off)
              help                          this text

            Example: generations=true,referencechains=true:hops=64:budget=2000,report=/tmp/leaks.json
            """;

    private OptionsHelp() { }
}
