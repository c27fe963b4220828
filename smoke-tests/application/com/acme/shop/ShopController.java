package com.acme.shop;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Pages of the shop. */
@RestController
class ShopController {
    private static final int VISITORS_PER_REQUEST = 5;

    private final SessionRegistry registry;
    private final AtomicLong visits = new AtomicLong();

    ShopController(SessionRegistry registry) {
        this.registry = registry;
    }

    /** Some visitors log in, look around, and log out. */
    @GetMapping("/visit")
    String visit() {
        StringBuilder page = new StringBuilder();
        for (int i = 0; i < VISITORS_PER_REQUEST; i++) {
            Session session = new Session("visitor-" + visits.incrementAndGet(), new byte[500 + ThreadLocalRandom.current().nextInt(1_000)]);
            registry.login(session);
            for (int line = 0; line < 50; line++) {
                page.append("<p>").append(Long.toHexString(ThreadLocalRandom.current().nextLong())).append("</p>");
            }
            registry.logout(session);
        }
        return page.append(registry.active()).toString();
    }
}
