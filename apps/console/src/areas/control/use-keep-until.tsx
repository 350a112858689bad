import { hourMs } from '@linewarden/equipment'
import { maxOverrideMs } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { projectMoment, projectMomentIn } from '../../plant/project-moment.ts'
import { addTexts } from '../../ui/i18n.ts'
import { MomentField } from '../../ui/moment-field.tsx'
import { serverNow } from '../../ui/use-now.ts'
import { timedLines } from './timed-texts.ts'

addTexts({ timedLines })

const usualHours = [1, 4, 8] as const

/** Until when the timers of these lines wait, on the clock of the first one's project, which is named where another has another clock. */
export function useKeepUntil(lines: readonly LineRef[]) {
  const { t } = useTranslation('timedLines')
  const [until, setUntil] = useState('')
  const [opened] = useState(serverNow)
  const [checked, setChecked] = useState(false)
  const zones = new Set(lines.map(({ project }) => project.TimeZone))
  const [zone = 'UTC'] = zones
  const at = projectMomentIn(until, zone)
  const isWrong = at === null || at <= serverNow() || at > serverNow() + maxOverrideMs
  return {
    at,
    /** True when it is a time that may be asked for. When not, the field says so. */
    check: () => {
      setChecked(true)
      return !isWrong
    },
    field: (
      <MomentField
        kind="minute"
        label={t('until')}
        hint={zones.size > 1 ? t('untilZone', { zone }) : t('untilHint')}
        usual={usualHours.map((hours) => projectMoment(opened + hours * hourMs, zone))}
        value={until}
        onChange={setUntil}
        required
        error={checked && isWrong ? t('untilWrong', { example: projectMoment(opened + hourMs, zone) }) : null}
      />
    ),
  }
}
