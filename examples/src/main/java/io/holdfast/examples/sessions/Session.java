package io.holdfast.examples.sessions;

/** What the shop remembers of one visitor. */
final class Session {
    private final String user;
    private final byte[] basket;

    Session(String user, int basketBytes) {
        this.user = user;
        this.basket = new byte[basketBytes];
    }

    String user() {
        return user;
    }

    int price() {
        int sum = 0;
        for (byte item : basket) {
            sum += item;
        }
        return sum;
    }
}
