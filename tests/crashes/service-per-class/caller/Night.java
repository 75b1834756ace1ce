package night;

import desk.Clock;
import desk.Desk;
import desk.Names;
import desk.Services;

public class Night implements Services, Clock {
    public static void main(String[] arguments) {
        System.out.println(new Desk(new Night()).greeting());
    }

    @Override
    public <T> T find(Class<T> type) {
        Names names = hour -> hour > 20 ? null : "Ann";
        return type.cast(type == Clock.class ? this : names);
    }

    @Override
    public int hour() {
        return 22;
    }
}
