package office;

import java.util.Arrays;
import java.util.List;
import ledger.Ledger;
import ledger.Rates;
import ledger.Step;
import ledger.Table;

public class Year {
    public static void main(String[] arguments) {
        Table table = (Table) make(Table.class, "steps", Arrays.asList(new Step(4), new Step(0)));
        Rates rates = (Rates) make(Rates.class, "table", table);
        System.out.println(new Ledger(rates).total("ITL", 1000));
    }

    private static Object make(Class<?> of, String name, Object answer) {
        return java.lang.reflect.Proxy.newProxyInstance(
                of.getClassLoader(),
                new Class<?>[] {of},
                (proxy, method, given) -> method.getName().equals(name) ? answer : (Object) Boolean.TRUE);
    }
}
