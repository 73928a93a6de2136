import { connect } from "./connect.ts";
import { openPage } from "./page.ts";

void openPage(connect());
