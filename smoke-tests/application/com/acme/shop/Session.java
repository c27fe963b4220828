package com.acme.shop;

/** What the shop remembers of one visitor. */
record Session(String user, byte[] basket) { }
