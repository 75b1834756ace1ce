package subject;

import java.util.Arrays;

/** A program of many classes with state. Its method throws what it found after it has changed it. */
public final class Large {
    private static int count = 100;
    private static Object lazy;
    private static long[] cells = {2};

    private Large() {}

    public static void change(int by) {
        int sum = C0.held + C1.held + C2.held + C3.held + C4.held + C5.held + C6.held + C7.held + C8.held + C9.held +
                C10.held + C11.held + C12.held + C13.held + C14.held + C15.held + C16.held + C17.held + C18.held +
                C19.held + C20.held + C21.held + C22.held + C23.held + C24.held + C25.held + C26.held + C27.held +
                C28.held + C29.held + C30.held + C31.held + C32.held + C33.held + C34.held + C35.held + C36.held +
                C37.held + C38.held + C39.held + C40.held + C41.held + C42.held + C43.held + C44.held + C45.held +
                C46.held + C47.held + C48.held + C49.held + C50.held + C51.held + C52.held + C53.held + C54.held +
                C55.held + C56.held + C57.held + C58.held + C59.held + C60.held + C61.held + C62.held + C63.held +
                C64.held + C65.held + C66.held + C67.held + C68.held + C69.held;
        count += by;
        String before = String.valueOf(lazy);
        lazy = "new";
        long first = cells[0];
        cells = new long[] {7, sum};
        throw new IllegalStateException(count + " " + Arrays.asList(before, lazy) + " " + first);
    }

    static class C0 {
        static int held = Integer.parseInt("0");
    }

    static class C1 {
        static int held = Integer.parseInt("1");
    }

    static class C2 {
        static int held = Integer.parseInt("2");
    }

    static class C3 {
        static int held = Integer.parseInt("3");
    }

    static class C4 {
        static int held = Integer.parseInt("4");
    }

    static class C5 {
        static int held = Integer.parseInt("5");
    }

    static class C6 {
        static int held = Integer.parseInt("6");
    }

    static class C7 {
        static int held = Integer.parseInt("7");
    }

    static class C8 {
        static int held = Integer.parseInt("8");
    }

    static class C9 {
        static int held = Integer.parseInt("9");
    }

    static class C10 {
        static int held = Integer.parseInt("10");
    }

    static class C11 {
        static int held = Integer.parseInt("11");
    }

    static class C12 {
        static int held = Integer.parseInt("12");
    }

    static class C13 {
        static int held = Integer.parseInt("13");
    }

    static class C14 {
        static int held = Integer.parseInt("14");
    }

    static class C15 {
        static int held = Integer.parseInt("15");
    }

    static class C16 {
        static int held = Integer.parseInt("16");
    }

    static class C17 {
        static int held = Integer.parseInt("17");
    }

    static class C18 {
        static int held = Integer.parseInt("18");
    }

    static class C19 {
        static int held = Integer.parseInt("19");
    }

    static class C20 {
        static int held = Integer.parseInt("20");
    }

    static class C21 {
        static int held = Integer.parseInt("21");
    }

    static class C22 {
        static int held = Integer.parseInt("22");
    }

    static class C23 {
        static int held = Integer.parseInt("23");
    }

    static class C24 {
        static int held = Integer.parseInt("24");
    }

    static class C25 {
        static int held = Integer.parseInt("25");
    }

    static class C26 {
        static int held = Integer.parseInt("26");
    }

    static class C27 {
        static int held = Integer.parseInt("27");
    }

    static class C28 {
        static int held = Integer.parseInt("28");
    }

    static class C29 {
        static int held = Integer.parseInt("29");
    }

    static class C30 {
        static int held = Integer.parseInt("30");
    }

    static class C31 {
        static int held = Integer.parseInt("31");
    }

    static class C32 {
        static int held = Integer.parseInt("32");
    }

    static class C33 {
        static int held = Integer.parseInt("33");
    }

    static class C34 {
        static int held = Integer.parseInt("34");
    }

    static class C35 {
        static int held = Integer.parseInt("35");
    }

    static class C36 {
        static int held = Integer.parseInt("36");
    }

    static class C37 {
        static int held = Integer.parseInt("37");
    }

    static class C38 {
        static int held = Integer.parseInt("38");
    }

    static class C39 {
        static int held = Integer.parseInt("39");
    }

    static class C40 {
        static int held = Integer.parseInt("40");
    }

    static class C41 {
        static int held = Integer.parseInt("41");
    }

    static class C42 {
        static int held = Integer.parseInt("42");
    }

    static class C43 {
        static int held = Integer.parseInt("43");
    }

    static class C44 {
        static int held = Integer.parseInt("44");
    }

    static class C45 {
        static int held = Integer.parseInt("45");
    }

    static class C46 {
        static int held = Integer.parseInt("46");
    }

    static class C47 {
        static int held = Integer.parseInt("47");
    }

    static class C48 {
        static int held = Integer.parseInt("48");
    }

    static class C49 {
        static int held = Integer.parseInt("49");
    }

    static class C50 {
        static int held = Integer.parseInt("50");
    }

    static class C51 {
        static int held = Integer.parseInt("51");
    }

    static class C52 {
        static int held = Integer.parseInt("52");
    }

    static class C53 {
        static int held = Integer.parseInt("53");
    }

    static class C54 {
        static int held = Integer.parseInt("54");
    }

    static class C55 {
        static int held = Integer.parseInt("55");
    }

    static class C56 {
        static int held = Integer.parseInt("56");
    }

    static class C57 {
        static int held = Integer.parseInt("57");
    }

    static class C58 {
        static int held = Integer.parseInt("58");
    }

    static class C59 {
        static int held = Integer.parseInt("59");
    }

    static class C60 {
        static int held = Integer.parseInt("60");
    }

    static class C61 {
        static int held = Integer.parseInt("61");
    }

    static class C62 {
        static int held = Integer.parseInt("62");
    }

    static class C63 {
        static int held = Integer.parseInt("63");
    }

    static class C64 {
        static int held = Integer.parseInt("64");
    }

    static class C65 {
        static int held = Integer.parseInt("65");
    }

    static class C66 {
        static int held = Integer.parseInt("66");
    }

    static class C67 {
        static int held = Integer.parseInt("67");
    }

    static class C68 {
        static int held = Integer.parseInt("68");
    }

    static class C69 {
        static int held = Integer.parseInt("69");
    }
}
