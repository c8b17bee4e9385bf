/** Where the pointer is, in µs; all lanes show it. A second one stays where it was put. */
export class Cursor {
  at = $state<number>();
  pinned = $state<number>();
}
