package org.eclipse.jetty.demo;

import web.Gate;
import web.Page;

public class Server implements Gate.Chain {
    public static void main(String[] arguments) {
        new Gate().pass("", new Server());
    }

    @Override
    public void next(Page page) {
        page.show();
    }
}
