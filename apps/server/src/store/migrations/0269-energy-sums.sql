-- What each row of quarters comes to, so that a month of many lines is a sum of rows and not of their quarters: Wh of what is known, of how many
-- quarters that is, and the parts of it that were spread, estimated and entered.
create function energy_sums(wh int[], how bytea) returns float8[] language sql immutable parallel safe as $$
  select array[
    coalesce(sum(each), 0), count(each), coalesce(sum(each) filter (where mark = 1), 0),
    coalesce(sum(each) filter (where mark = 2), 0), coalesce(sum(each) filter (where mark = 3), 0)]::float8[]
  from (select each, get_byte(how, number::int - 1) as mark from unnest(wh) with ordinality as own (each, number)) as quarter
$$;
alter table energy_quarter add column sums float8[] not null generated always as (energy_sums(wh, how)) stored;
