import type { Project, Timer } from '@linewarden/contract'
import type { TimerFunction } from '@linewarden/rules/automation'
import { maxNameLength } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { LineRef } from '../../../plant/equipment.ts'
import { Segments } from '../../../ui/fields.tsx'
import { ExceptionsField } from './exceptions-field.tsx'
import { FormRow, Wrong } from './form-row.tsx'
import type { FormValues, TimerType } from './form-values.ts'
import { withFunction } from './form-values.ts'
import { LinesField } from './lines-field.tsx'
import { PeriodField } from './period-field.tsx'
import { PointsField } from './points-field.tsx'
import type { ProblemsByField } from './problems.ts'
import { problemIn, problemsOfNoRow } from './problems.ts'
import { SceneField } from './scene-field.tsx'
import { Weeks } from './weeks.tsx'

const functions = ['switch', 'scene', 'selfTest'] as const satisfies readonly TimerFunction[]
const types = ['once', 'weekly', 'calendar', 'monthly', 'sun'] as const satisfies readonly TimerType[]

interface Props {
  readonly values: FormValues
  readonly problems: ProblemsByField
  readonly lines: readonly LineRef[] | null
  readonly project: Pick<Project, 'HouseID' | 'TimeZone'>
  /** Why nobody picks lines here; null: they may. */
  readonly why: string | null
  /** Null: it is a new one. */
  readonly edited: Pick<Timer, 'SceneID' | 'SceneName'> | null
  readonly set: (to: Partial<FormValues>) => void
}

/** The steps of the form in the order of the specification. */
export function FormRows({ values, problems, lines, project, edited, why, set }: Props) {
  const { t } = useTranslation(['timerForm', 'automation'])
  return (
    <>
      {problemsOfNoRow(problems).map((text) => (
        <Wrong key={text} text={text} />
      ))}
      <FormRow no={1} label={t('name')} problem={problems.get('Name') ?? null}>
        <div className="line-up">
          <span className="field name">
            <input
              aria-label={t('name')}
              value={values.name}
              maxLength={64}
              required
              aria-invalid={problems.has('Name') || undefined}
              onChange={(event) => set({ name: event.target.value })}
            />
          </span>
          <span className="mute">{t('nameCount', { count: [...values.name.trim()].length, most: maxNameLength })}</span>
        </div>
      </FormRow>
      <FormRow no={2} label={t('function')} problem={problems.get('Function') ?? null}>
        <Segments
          label={t('function')}
          value={values.function}
          options={functions.map((value) => ({ value, label: t(`automation:functions.${value}`) }))}
          onChange={(to) => set(withFunction(values, to))}
        />
      </FormRow>
      <FormRow no={3} label={t('type')} problem={problems.get('Type') ?? null}>
        <Segments
          label={t('type')}
          value={values.type}
          options={types.map((value) => ({ value, label: t(`automation:types.${value}`) }))}
          onChange={(type) => set({ type })}
        />
      </FormRow>
      <Times values={values} problems={problems} set={set} />
      <FormRow
        no={5}
        label={t('period')}
        problem={
          ['Period.Date', 'Period.Days', 'Period.Classes', 'Exceptions'].map((field) => problems.get(field)).find(Boolean) ?? null
        }
      >
        <PeriodField values={values} problems={problems} onChange={set} />
        <Weeks house={project.HouseID} timeZone={project.TimeZone} values={values} />
        {values.type !== null && values.type !== 'once' && (
          <ExceptionsField values={values} problems={problems} onChange={(exceptions) => set({ exceptions })} />
        )}
      </FormRow>
      <FormRow
        no={6}
        label={t(values.function === 'scene' ? 'scene' : 'devices')}
        problem={problemIn(problems, 'Lines') ?? problems.get('SceneID') ?? null}
      >
        {values.function === 'scene' ? (
          <SceneField
            house={project.HouseID}
            chosen={values.scene}
            name={edited?.SceneID === values.scene ? (edited?.SceneName ?? null) : null}
            why={why}
            onChange={(scene) => set({ scene })}
          />
        ) : (
          <LinesField
            chosen={values.lines}
            lines={lines}
            purpose={values.function}
            closes={values.function === 'switch' && closesAny(values)}
            why={why}
            onChange={(to) => set({ lines: to })}
          />
        )}
        <label className="check">
          <input type="checkbox" checked={values.enabled} onChange={(event) => set({ enabled: event.target.checked })} />
          {t('enabledNow')}
        </label>
      </FormRow>
    </>
  )
}

/** At one of its times, also on a day of its own. */
const closesAny = ({ points, exceptions }: FormValues): boolean =>
  [...points, ...exceptions.flatMap((each) => each.points ?? [])].some(({ action }) => action === 'close')

function Times({ values, problems, set }: Pick<Props, 'values' | 'problems' | 'set'>) {
  const { t } = useTranslation('timerForm')
  const lacksPosition = values.type === 'sun' && [...problems].some(([field]) => /At$/.test(field))
  return (
    <FormRow no={4} label={t('times')} problem={problems.get('Points') ?? null}>
      <PointsField
        points={values.points}
        purpose={values.function}
        type={values.type}
        path="Points"
        problems={problems}
        onChange={(points) => set({ points })}
      />
      {lacksPosition && (
        <p className="note">
          {t('positionWhere')}
          <Link className="text-link" to="/system/project">
            {t('openProjects')}
          </Link>
        </p>
      )}
      {values.function === 'switch' && (
        <label className="check">
          <input type="checkbox" checked={values.keep} onChange={(event) => set({ keep: event.target.checked })} />
          {t('keep')}
        </label>
      )}
    </FormRow>
  )
}
