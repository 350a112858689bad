import { largestFrameA, maxKwhPerAmpereHour, orderedAfterMs } from '@linewarden/rules/history'
import { Quality } from '@linewarden/rules/monitor'

// How a counter is counted (ADR 17). What a reading counts follows from the readings of the hour before it alone, so that an hour counts the
// same however much is read with it.

const hourOf = (at: string) => `date_bin('1 hour', ${at}, timestamptz 'epoch')`
const clockOff = `(quality & ${Quality.clock} <> 0)`
const ordered = `interval '${orderedAfterMs} milliseconds'`
// The reading before, the highest around that one, whether those began after a reset, and how each of these was judged.
const judgedBy = `interval '${3 * orderedAfterMs} milliseconds'`

/** How far before a stretch the first look reads. */
export const firstLook = `interval '${3 * orderedAfterMs} milliseconds'`

/** Readings with a counter in `[from, before)`, of `line` or of all; a counter below nought is one that has counted nothing. */
const counterRows = (from: string, before: string, line?: string) =>
  `select line_id, at, quality, greatest(counter, 0) as counter from reading
   where ${line ? `line_id = ${line} and` : ''} at >= ${from} and at < ${before} and counter is not null`

/**
 * The first look, a common table expression `risen` (line_id, at, quality, counter, before, odd): the readings of `[start - firstLook, end)`, each with
 * the one before it and whether it asks for a second look. Where none of a line's does, and its readings before `start` span what `orderedAfterMs` is,
 * each counts what it rose. That is nearly every line, and reads little more than the stretch itself.
 */
export const risenFrom = (start: string, end: string, lines?: string) => {
  const rows = lines
    ? `select own.* from unnest(${lines}) as wanted (id) cross join lateral (${counterRows(`${start} - ${firstLook}`, end, 'wanted.id')}) as own`
    : counterRows(`${start} - ${firstLook}`, end)
  return `risen as (
    select *, coalesce(counter < before, false) or ${clockOff} as odd from (
      select *, lag(counter) over (partition by line_id order by at) as before from (${rows}) as counters
    ) as steps
  )`
}

/** Whether readings that span `first` to `last`, the last one before a stretch, say all that its first reading is judged by. */
export const spansOrder = (first: string, last: string) => `coalesce(${last} - ${first} >= ${ordered}, false)`

/**
 * The second look, common table expressions to `counted` (line_id, at, quality, used): what each reading of these lines counts, kWh, from the hour
 * `start` to the hour's end `end`, and of some before. Whole hours are read, because which readings count is said by the hour, and the last one before
 * them that counts.
 *
 * Readings of a clock that was off give way to believed ones of the same hour; a reading counts what it stands above the highest since the
 * last reset, because a clock set back a little puts older values after newer ones; and it is after a reset when it stands below what was
 * read so much earlier that no clock can have changed their order.
 */
export const countedFrom = (lines: string, start: string, end: string) => `
  counters as materialized (
    select own.* from unnest(${lines}) as wanted (id) cross join lateral (
      ${counterRows(start, end, 'wanted.id')}
      union all
      select earlier.* from (
        select case when ${clockOff} then ${hourOf('at')} - interval '1 hour' else ${hourOf(`at - ${judgedBy}`)} end as since
        from reading where line_id = wanted.id and at < ${start} and counter is not null order by at desc limit 1
      ) as reach cross join lateral (
        ${counterRows('since', start, 'wanted.id')}
        union all
        select last.* from (
          select ${hourOf('at')} as hour from reading where line_id = wanted.id and at < since and counter is not null
          order by at desc limit 1
        ) as older cross join lateral (
          ${counterRows('hour', "hour + interval '1 hour'", 'wanted.id')} order by quality & ${Quality.clock}, at desc limit 1
        ) as last
      ) as earlier
    ) as own
  ),
  doubted as (
    select *, bool_or(not ${clockOff}) over (partition by line_id, ${hourOf('at')}) as others_believed from counters
  ),
  seen as (
    select line_id, at, quality, counter, lag(at) over line as before_at, max(counter) over earlier as high,
      last_value(counter) over settled as old, last_value(${clockOff}) over settled = ${clockOff} as same_clock
    from doubted where not (${clockOff} and others_believed)
    window line as (partition by line_id order by at),
      earlier as (line rows between unbounded preceding and 1 preceding),
      settled as (line range between unbounded preceding and ${ordered} preceding)
  ),
  judged as (
    select *, coalesce(counter < case when old is null then high / 2 when same_clock then old end, false) as fallen from seen
  ),
  resets as (
    select *, fallen and not coalesce(bool_or(fallen) over lately, false) as reset,
      fallen or coalesce(lag(fallen) over line, false) as near_reset
    from judged
    window line as (partition by line_id order by at),
      lately as (line range between ${ordered} preceding and interval '1 microsecond' preceding)
  ),
  epochs as (select *, count(*) filter (where reset) over (partition by line_id order by at) as epoch from resets),
  highest as (
    select *, max(counter) over (partition by line_id, epoch order by at range between ${ordered} preceding and current row) as highest
    from epochs
  ),
  risen_above as (
    select line_id, at, before_at, quality, near_reset, case when reset then counter
      else greatest(counter - lag(highest) over (partition by line_id, epoch order by at), 0) end as used
    from highest
  ),
  counted as (
    select line_id, at, quality, case when near_reset and used > ${most} then 0 else used end as used
    from risen_above left join line using (line_id) where before_at is not null
  )`

/** What a line can have used since the reading before, clocks being off as they may. More is another meter, put in its place. */
const most = `coalesce(nullif(rated_current_a, 0), ${largestFrameA}) * ${maxKwhPerAmpereHour}
  * extract(epoch from at - before_at + ${ordered}) / 3600`
