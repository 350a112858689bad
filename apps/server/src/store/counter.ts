import { Quality } from '@linewarden/rules'

/**
 * Readings that a counter is counted by. One whose clock was off stands among readings of another time, and each step there and back would
 * count as a reset; what was used meanwhile is not lost, it counts at the first reading whose time is believed.
 */
export const counts = `counter is not null and quality & ${Quality.clock} = 0`

/**
 * What one step of a counter counts, from `before` to `counter`. A reset begins at nought and counts from there. A fall that leaves more
 * than half is none: it is a meter exchanged for another one, or readings of a clock that was set back a little, and counts nothing.
 */
export const step = 'case when counter >= before then counter - before when counter < before / 2 then counter else 0 end'
