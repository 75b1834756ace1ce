package post;

/** Sorts letters. */
public class Office {
    /** The bug: a local letter of an unknown sender need not have a number. */
    public String sort(Letter letter) {
        if (letter.route() == Route.LOCAL && letter.sender() == Senders.UNKNOWN) {
            String address = letter.address();
            return address.substring(address.indexOf('/'));
        }
        return letter.address();
    }
}
