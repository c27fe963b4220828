package io.holdfast.examples.sessions;

/** The same shop as {@link ShopMain}, without a line about Holdfast: somebody attaches to it while it runs. */
public final class UnprofiledShopMain {
    private UnprofiledShopMain() { }

    /**
     * Runs the shop.
     *
     * @param args seconds to run; default 60
     */
    public static void main(String[] args) throws InterruptedException {
        System.out.println("shop open");
        ShopMain.open(args);
    }
}
