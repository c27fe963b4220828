package com.acme.shop;

/** What should be gone. */
public class Session {
    final byte[] payload = new byte[64];
    final Runnable listener = new Runnable() {
        @Override
        public void run() {
            payload[0]++;
        }
    };
}
