/** Elements that hold nothing and are not closed. */
export const VOID: ReadonlySet<string> = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
