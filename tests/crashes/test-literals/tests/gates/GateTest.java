package gates;

import java.io.IOException;
import java.io.InputStream;

public class GateTest {
    public void passesLead() throws IOException {
        try (InputStream file = GateTest.class.getResourceAsStream("yard.plan")) {
            Gate gate = new Gate();
            gate.show("pallet 88-Q; bay=west");
            assert gate.lead(new String(file.readAllBytes())) >= 0;
        }
    }
}
