package town;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import post.Route;
import post.Sorter;

public class Morning {
    public static void main(String[] arguments) throws Exception {
        Sorter sorter = new Sorter();
        fill(sorter, Sorter.class.getDeclaredField("register"));
        fill(sorter, Sorter.class.getSuperclass().getDeclaredField("journal"));
        System.out.println(sorter.sort("9500"));
    }

    private static void fill(Object object, Field field) throws Exception {
        field.setAccessible(true);
        Object value =
                Proxy.newProxyInstance(
                        field.getType().getClassLoader(),
                        new Class<?>[] {field.getType()},
                        (proxy, method, given) ->
                                method.getReturnType() == boolean.class
                                        ? (Object) Boolean.TRUE
                                        : method.getReturnType() == Route.class ? new Route() : null);
        field.set(object, value);
    }
}
