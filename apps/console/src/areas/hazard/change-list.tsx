import type { Analysis } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dayTime } from '../../ui/format.ts'
import { addTexts, localised } from '../../ui/i18n.ts'
import { Place } from '../../ui/place.tsx'
import { figures, figureText } from '../alarm/tuning/figures.ts'
import { alarmTuningTexts } from '../alarm/tuning/texts.ts'

addTexts({ alarmTuning: alarmTuningTexts })

/** Of more the newest are listed. */
const listed = 6

interface Entry {
  readonly id: string
  readonly at: number
  readonly words: ReactNode
}

/** What was changed of settings, rules, the rationalisation sheet and tunings, the newest first: the marks on the time line in words. */
export function Changes({
  changes,
  rules,
  sheet,
  tunings,
}: {
  changes: Analysis['Changes']
  rules: Analysis['RuleChanges']
  sheet: Analysis['SheetChanges']
  tunings: Analysis['TuningChanges']
}) {
  const { t } = useTranslation('analysis')
  const entries: Entry[] = [
    ...changes.map((change) => ({
      id: `${change.At} ${change.LineID}`,
      at: change.At,
      words: <SettingsChanged change={change} />,
    })),
    ...rules.map((change) => ({
      id: `${change.HouseID} ${change.Key} ${change.Version}`,
      at: change.At,
      words: <RuleChanged change={change} />,
    })),
    ...sheet.map((change) => ({
      id: `sheet ${change.HouseID} ${change.Key} ${change.Version}`,
      at: change.At,
      words: <SheetChanged change={change} />,
    })),
    ...tunings.map((change) => ({
      id: `tuning ${change.LineID} ${change.Key} ${change.Point} ${change.Version}`,
      at: change.At,
      words: <TuningChanged change={change} />,
    })),
  ].toSorted((a, b) => b.at - a.at)
  return (
    <ul className="changes" aria-label={t('changes')}>
      {entries.slice(0, listed).map(({ id, at, words }) => (
        <li key={id}>
          <i className="flag" aria-hidden="true" />
          <time>{dayTime(at)}</time>
          <span>{words}</span>
        </li>
      ))}
      {entries.length > listed && <li>{t('changesMore', { count: entries.length - listed })}</li>}
    </ul>
  )
}

function SettingsChanged({ change }: { change: Analysis['Changes'][number] }) {
  const { t } = useTranslation('analysis')
  return (
    <>
      {change.Lines > 1 ? t('changedLines', { count: change.Lines }) : <Place names={placeNames(change.Where)} />}{' '}
      {change.Settings.map(({ Key, From, To }) =>
        t('changedSetting', { name: settingName(Key), from: From ?? '–', to: `${To}${unitOf(Key)}` }),
      ).join(', ')}
    </>
  )
}

function RuleChanged({ change }: { change: Analysis['RuleChanges'][number] }) {
  const { t } = useTranslation('analysis')
  const what = [
    ...(change.Restored ? [t('ruleRestored')] : []),
    ...(change.Enabled === null ? [] : [t(change.Enabled ? 'ruleOn' : 'ruleOff')]),
    ...change.Params.map(({ Label, Unit, From, To }) =>
      t('changedSetting', { name: localised(Label), from: From ?? '–', to: Unit ? `${To} ${Unit}` : To }),
    ),
    change.Reason,
    change.ChangedBy,
  ]
  return (
    <>
      {t('ruleChanged', { rule: localised(change.Label), place: change.Project ?? t('ruleDefault') })}{' '}
      {what.filter(Boolean).join(' · ')}
    </>
  )
}

function SheetChanged({ change }: { change: Analysis['SheetChanges'][number] }) {
  const { t } = useTranslation('analysis')
  const place = change.Project ?? t('sheetDefault')
  return (
    <>
      {t(change.Restored ? 'sheetRestored' : 'sheetChanged', { alarm: localised(change.Label), place })}{' '}
      {[change.Reason, change.ChangedBy].filter(Boolean).join(' · ')}
    </>
  )
}

function TuningChanged({ change }: { change: Analysis['TuningChanges'][number] }) {
  const { t } = useTranslation('analysis')
  const { t: tuning } = useTranslation('alarmTuning')
  const what = [
    ...(change.Restored ? [t('tuningRestored')] : []),
    ...figures
      .filter((figure) => change.Before[figure] !== change.After[figure])
      .map((figure) => {
        const from = figureText(tuning, figure, change.Before)
        return t('changedSetting', { name: tuning(figure), from, to: figureText(tuning, figure, change.After) })
      }),
    change.Reason,
    change.ChangedBy,
  ]
  return (
    <>
      {t('tuningChanged', { alarm: localised(change.Label) })} <Place names={placeNames(change.Where)} />{' '}
      {what.filter(Boolean).join(' · ')}
    </>
  )
}

const settingOf = (key: string) => families.flatMap(({ settings }) => settings).find((each) => each.key === key)
const settingName = (key: string): string => {
  const setting = settingOf(key)
  return setting ? localised(setting.label) : key
}
const unitOf = (key: string): string => {
  const unit = settingOf(key)?.unit ?? ''
  return unit === '' ? '' : ` ${unit}`
}
