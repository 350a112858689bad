import { dayMs } from '@linewarden/equipment'
import type { CivilDay, ProjectTime } from '@linewarden/rules/automation'
import { civilZone } from '@linewarden/rules/automation'

/** The first instant of a date; of one that the zone never had, that of the next. */
export const midnight = (time: ProjectTime, day: CivilDay): number => {
  const zone = civilZone(time.timeZone)
  return zone.resolve(day, 0)?.at ?? zone.resolve(day + 1, 0)?.at ?? day * dayMs
}

/** As what a date counts. */
export const classOf = (time: ProjectTime, day: CivilDay) => {
  const { class: dayClass, name } = time.calendar.classOf(day)
  return { Class: dayClass, ClassName: name }
}
