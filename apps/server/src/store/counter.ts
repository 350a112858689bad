import { largestFrameA, mostKwhPerAmpereHour, orderedAfterMs, Quality } from '@linewarden/rules'

// How a counter is counted (ADR 17). What a reading counts follows from the readings of the hour before it alone, so that an hour counts the
// same however much is read with it.

const hourOf = (at: string) => `date_bin('1 hour', ${at}, timestamptz 'epoch')`
const clockOff = `(quality & ${Quality.clock} <> 0)`
const ordered = `interval '${orderedAfterMs} milliseconds'`
// The reading before, the highest around that one, whether those began after a reset, and how each of these was judged.
const judgedBy = `interval '${3 * orderedAfterMs} milliseconds'`

/** Columns and condition of readings that counters are counted by; a counter below nought is one that has counted nothing. */
const columns = 'at, quality, greatest(counter, 0) as counter'

/** Readings with a counter of one line in `[from, before)`. */
export const counterRows = (line: string, from: string, before: string) =>
  `select ${columns} from reading where line_id = ${line} and at >= ${from} and at < ${before} and counter is not null`

/**
 * Readings of one line before the hour `start` by which the first one from then on is judged: whole hours, because which readings count
 * is said by the hour, and the last one before them that counts.
 */
export const counterRowsBefore = (line: string, start: string) => `
  select earlier.* from (
    select case when ${clockOff} then ${hourOf('at')} - interval '1 hour' else ${hourOf(`at - ${judgedBy}`)} end as since
    from reading where line_id = ${line} and at < ${start} and counter is not null order by at desc limit 1
  ) as reach cross join lateral (
    ${counterRows(line, 'since', start)}
    union all
    select last.* from (
      select ${hourOf('at')} as hour from reading where line_id = ${line} and at < since and counter is not null order by at desc limit 1
    ) as older cross join lateral (
      ${counterRows(line, 'hour', "hour + interval '1 hour'")} order by quality & ${Quality.clock}, at desc limit 1
    ) as last
  ) as earlier`

/**
 * Common table expressions from `counters` (`keys`, at, quality, counter) to `counted` (`keys`, at, quality, used): what each reading counts,
 * kWh. `keys` are the columns that keep one line's readings together, `line_id` among them.
 *
 * Lines whose counter only rose, by a clock that was believed, are all but a few: they count each rise. The others have a second look:
 * readings of a clock that was off give way to believed ones of the same hour; a reading counts what it stands above the highest since the
 * last reset, because a clock set back a little puts older values after newer ones; and it is after a reset when it stands below what was
 * read so much earlier that no clock can have changed their order.
 */
export const countedFrom = (keys = 'line_id') => `
  risen as materialized (
    select ${keys}, at, quality, counter, lag(counter) over (partition by ${keys} order by at) as before from counters
  ),
  odd as materialized (select distinct ${keys} from risen where counter < before or ${clockOff}),
  doubted as (
    select ${keys}, at, quality, counter, bool_or(not ${clockOff}) over (partition by ${keys}, ${hourOf('at')}) as others_believed
    from risen join odd using (${keys})
  ),
  seen as (
    select ${keys}, at, quality, counter, lag(at) over line as before_at, max(counter) over lately as high,
      last_value(counter) over settled as old, last_value(${clockOff}) over settled = ${clockOff} as same_clock
    from doubted where not (${clockOff} and others_believed)
    window line as (partition by ${keys} order by at),
      lately as (line range between ${ordered} preceding and interval '1 microsecond' preceding),
      settled as (line range between unbounded preceding and ${ordered} preceding)
  ),
  judged as (
    select *, coalesce(counter < case when old is null then high / 2 when same_clock then old end, false) as fallen from seen
  ),
  resets as (
    select *, fallen and not coalesce(bool_or(fallen) over lately, false) as reset, fallen or coalesce(lag(fallen) over line, false) as near_reset
    from judged
    window line as (partition by ${keys} order by at),
      lately as (line range between ${ordered} preceding and interval '1 microsecond' preceding)
  ),
  epochs as (select *, count(*) filter (where reset) over (partition by ${keys} order by at) as epoch from resets),
  highest as (
    select *, max(counter) over (partition by ${keys}, epoch order by at range between ${ordered} preceding and current row) as highest
    from epochs
  ),
  risen_above as (
    select ${keys}, at, before_at, quality, near_reset, case when reset then counter
      else greatest(counter - lag(highest) over (partition by ${keys}, epoch order by at), 0) end as used
    from highest
  ),
  counted as (
    select ${keys}, at, quality, counter - before as used from risen where before is not null
      and not exists (select from odd where ${keys
        .split(', ')
        .map((key) => `odd.${key} = risen.${key}`)
        .join(' and ')})
    union all
    select ${keys}, at, quality, case when near_reset and used > ${most} then 0 else used end
    from risen_above left join line using (line_id) where before_at is not null
  )`

/** What a line can have used since the reading before, clocks being off as they may. More is another meter, put in its place. */
const most = `coalesce(nullif(rated_current_a, 0), ${largestFrameA}) * ${mostKwhPerAmpereHour}
  * extract(epoch from at - before_at + ${ordered}) / 3600`
