package bureau;

/** Reads amounts of money such as {@code 12.50 EUR}. */
public final class Amounts {
    private static final long[] POWERS = {1, 10, 100, 1000};

    private Amounts() {}

    /** The amount in the smallest units of its currency. */
    public static long parse(String amount) {
        int blank = amount.indexOf(' ');
        if (blank < 0) {
            throw new IllegalArgumentException("no currency in " + amount);
        }
        return units(amount.substring(0, blank), amount.substring(blank + 1));
    }

    private static long units(String number, String currency) {
        double amount = Double.parseDouble(number);
        switch (currency) {
            case "BIF":
            case "CLP":
            case "DJF":
            case "GNF":
            case "ISK":
            case "JPY":
            case "KMF":
            case "KRW":
            case "PYG":
            case "RWF":
            case "UGX":
            case "VND":
            case "VUV":
            case "XAF":
            case "XOF":
            case "XPF":
                return Math.round(amount * POWERS[0]);
            case "BHD":
            case "IQD":
            case "JOD":
            case "KWD":
            case "LYD":
            case "OMR":
            case "TND":
                return Math.round(amount * POWERS[3]);
            case "AED":
            case "AFN":
            case "ALL":
            case "AMD":
            case "ANG":
            case "AOA":
            case "ARS":
            case "AUD":
            case "AWG":
            case "AZN":
            case "BAM":
            case "BBD":
            case "BDT":
            case "BGN":
            case "BMD":
            case "BND":
            case "BOB":
            case "BRL":
            case "BSD":
            case "BTN":
            case "BWP":
            case "BYN":
            case "BZD":
            case "CAD":
            case "CDF":
            case "CHF":
            case "CNY":
            case "COP":
            case "CRC":
            case "CUP":
            case "CVE":
            case "CZK":
            case "DKK":
            case "DOP":
            case "DZD":
            case "EGP":
            case "ERN":
            case "ETB":
            case "EUR":
            case "FJD":
            case "FKP":
            case "GBP":
            case "GEL":
            case "GHS":
            case "GIP":
            case "GMD":
            case "GTQ":
            case "GYD":
            case "HKD":
            case "HNL":
            case "HTG":
            case "HUF":
            case "IDR":
            case "ILS":
            case "INR":
            case "IRR":
            case "JMD":
            case "KES":
            case "KGS":
            case "KHR":
            case "KPW":
            case "KYD":
            case "KZT":
            case "LAK":
            case "LBP":
            case "LKR":
            case "LRD":
            case "LSL":
            case "MAD":
            case "MDL":
            case "MGA":
            case "MKD":
            case "MMK":
            case "MNT":
            case "MOP":
            case "MRU":
            case "MUR":
            case "MVR":
            case "MWK":
            case "MXN":
            case "MYR":
            case "MZN":
            case "NAD":
            case "NGN":
            case "NIO":
            case "NOK":
            case "NPR":
            case "NZD":
            case "PAB":
            case "PEN":
            case "PGK":
            case "PHP":
            case "PKR":
            case "PLN":
            case "QAR":
            case "RON":
            case "RSD":
            case "RUB":
            case "SAR":
            case "SBD":
            case "SCR":
            case "SDG":
            case "SEK":
            case "SGD":
            case "SHP":
            case "SLE":
            case "SOS":
            case "SRD":
            case "SSP":
            case "STN":
            case "SVC":
            case "SYP":
            case "SZL":
            case "THB":
            case "TJS":
            case "TMT":
            case "TOP":
            case "TRY":
            case "TTD":
            case "TWD":
            case "TZS":
            case "UAH":
            case "USD":
            case "UYU":
            case "UZS":
            case "VES":
            case "WST":
            case "XCD":
            case "YER":
            case "ZAR":
            case "ZMW":
                return Math.round(amount * POWERS[2]);
            case "CLF":
                // The unit of account has four.
                return Math.round(amount * POWERS[4]);
            default:
                throw new IllegalArgumentException("unknown currency " + currency);
        }
    }
}
