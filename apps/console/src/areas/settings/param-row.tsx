import type { LineSettings, SettingState } from '@linewarden/contract'
import type { Setting } from '@linewarden/equipment'
import { isSwitch, voltageBand } from '@linewarden/rules/settings'
import { useTranslation } from 'react-i18next'
import { clockTime } from '../../ui/format.ts'
import { localised as inWords } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Track } from './track.tsx'
import { faultOf, numberIn, presentOf, shown, withUnit } from './values.ts'

export interface RowProps {
  readonly setting: Setting
  readonly state: SettingState
  readonly line: LineSettings
  /** What somebody wrote; absent: nothing. */
  readonly text: string | undefined
  readonly disabled: boolean
  readonly onText: (text: string) => void
}

/** One setting: range, what is desired, what the equipment says, and how the two stand. */
export function ParamRow({ setting, state, line, text, disabled, onText }: RowProps) {
  const { t } = useTranslation(['settings', 'app'])
  const present = presentOf(state, line)
  const value = text === undefined ? present : numberIn(text)
  const changed = text !== undefined && value !== present
  const fault = changed ? faultOf(setting, state, value ?? Number.NaN, line) : null
  const label = inWords(setting.label)
  const { unit } = setting
  return (
    <tr className={changed ? 'changed' : undefined}>
      <th scope="row">
        {label}
        <small>{rangeText(setting, state)}</small>
      </th>
      <td data-head={t('desired')}>
        {isSwitch(setting) ? (
          <select
            aria-label={label}
            disabled={disabled}
            value={value === null ? '' : String(value)}
            onChange={(event) => onText(event.target.value)}
          >
            {value === null && <option value="">–</option>}
            <option value="1">{t('on')}</option>
            <option value="0">{t('off')}</option>
          </select>
        ) : (
          <span className={fault ? 'field wrong' : 'field'}>
            <input
              inputMode="decimal"
              aria-label={label}
              aria-invalid={fault ? true : undefined}
              aria-describedby={fault ? `wrong-${setting.key}` : undefined}
              disabled={disabled}
              maxLength={12}
              value={text ?? (present === null ? '' : shown(present))}
              onChange={(event) => onText(event.target.value)}
            />
            <span className="unit">{unit}</span>
          </span>
        )}
        {fault && (
          <em id={`wrong-${setting.key}`} role="alert">
            {fault}
          </em>
        )}
      </td>
      <td className="end" data-head={t('reported')}>
        {withUnit(setting, state.Reported)}
      </td>
      <td className="range" data-head={t('range')}>
        {isSwitch(setting) || state.Min === null || state.Max === null ? (
          <span className="mute">–</span>
        ) : (
          <>
            <span className="mute">{shown(state.Min)}</span>
            <Track
              min={state.Min}
              max={state.Max}
              desired={value}
              reported={state.Reported}
              band={setting.voltageBand ? voltageBand(line.Model)[setting.voltageBand] : null}
              wrong={fault !== null}
            />
            <span className="mute">{shown(state.Max)}</span>
          </>
        )}
      </td>
      <td data-head={t('app:state')}>
        <SettingStatus setting={setting} state={state} line={line} draft={fault ? 'wrong' : changed ? 'changed' : null} />
      </td>
      <td className="mute" data-head={t('lastChange')}>
        {changed ? '–' : <LastChange state={state} />}
      </td>
    </tr>
  )
}

function rangeText({ min, max, unit }: Setting, state: SettingState): string {
  if (typeof max === 'number' && typeof min === 'number')
    return `${shown(state.Min)} – ${shown(state.Max)}${unit === '' ? '' : ` ${unit}`}`
  const end = (figure: Setting['min'], value: number | null) =>
    typeof figure === 'number' ? `${shown(value)} ${unit}` : `${figure.timesIn}In`
  return `${end(min, state.Min)} – ${end(max, state.Max)}`
}

function SettingStatus({
  setting,
  state: { Key, Off, Standing: deviation },
  line,
  draft,
}: Pick<RowProps, 'setting' | 'state' | 'line'> & { draft: 'wrong' | 'changed' | null }) {
  const { t } = useTranslation('settings')
  if (draft === 'wrong') return <Word kind="alarm" text={t('outOfRange')} />
  if (draft === 'changed')
    return (
      <span className="setting-status">
        <i className="diamond" aria-hidden="true" />
        {t('toSend')}
      </span>
    )
  if (line.UnderWay?.Settings.some((each) => each.Key === Key))
    return (
      <span className="setting-status">
        <i className="turning" aria-hidden="true" />
        {t('waiting')}
      </span>
    )
  if (Off) {
    const former = withUnit(setting, Off.Former)
    if (Off.State === 'failed') return <Word kind="alarm" text={t('notRestored', { former })} />
    const text = Off.State === 'restoring' ? t('restoring', { former }) : t('offUntil', { former, time: clockTime(Off.Until) })
    return <Word kind="warning" text={text} />
  }
  if (deviation === 'drift') return <Word kind="warning" text={t('deviations.drift')} />
  if (deviation === 'same')
    return (
      <span className="setting-status mute">
        <Icon name="check" />
        {t('deviations.same')}
      </span>
    )
  return <span className="setting-status mute">{t(`deviations.${deviation}`)}</span>
}

function Word({ kind, text }: { kind: 'alarm' | 'warning'; text: string }) {
  return (
    <span className={`setting-status ${kind}`}>
      <Mark kind={kind} />
      {text}
    </span>
  )
}

/** Who changed it last: a person, a template, the expiry, or somebody on site. */
function LastChange({ state: { Standing: deviation, ReportedAt, DesiredAt, By, Source } }: { state: SettingState }) {
  const { t } = useTranslation('settings')
  if (deviation === 'drift' && ReportedAt !== null && DesiredAt !== null && ReportedAt > DesiredAt)
    return `${t('onSite')} · ${clockTime(ReportedAt)}`
  if (DesiredAt === null || Source === null) return '–'
  const who = Source === 'console' ? By : t(`sources.${Source}`)
  return `${who} · ${clockTime(DesiredAt)}`
}
