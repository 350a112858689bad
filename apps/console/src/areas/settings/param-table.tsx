import type { LineSettings } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { voltageBand } from '@linewarden/rules/settings'
import { useTranslation } from 'react-i18next'
import type { Drafts } from './drafts.ts'
import { ParamRow } from './param-row.tsx'
import type { SettingGroup } from './values.ts'
import { groupOf, shown } from './values.ts'

const groups: readonly SettingGroup[] = ['overload', 'voltage', 'residual', 'temperature', 'other']

/** Every setting of the line by its group: desired, reported, and what somebody writes. */
export function ParamTable({
  family,
  line,
  drafts,
  disabled,
}: {
  family: Family
  line: LineSettings
  drafts: Drafts
  disabled: boolean
}) {
  const { t } = useTranslation(['settings', 'app'])
  return (
    <table className="param-table" aria-label={t('title')}>
      <thead>
        <tr>
          <th>{t('parameter')}</th>
          <th>{t('desired')}</th>
          <th className="end">{t('reported')}</th>
          <th className="range">
            {t('range')} <Legend />
          </th>
          <th>{t('app:state')}</th>
          <th>{t('lastChange')}</th>
        </tr>
      </thead>
      {groups.map((group) => {
        const settings = family.settings.filter((setting) => groupOf(setting) === group)
        if (settings.length === 0) return null
        return (
          <tbody key={group}>
            <tr className="group">
              <th colSpan={6} scope="colgroup">
                {t(`groups.${group}`)}
                <GroupNote group={group} line={line} />
              </th>
            </tr>
            {settings.map((setting) => {
              const state = line.Settings.find(({ Key }) => Key === setting.key)
              return (
                state && (
                  <ParamRow
                    key={setting.key}
                    setting={setting}
                    state={state}
                    line={line}
                    text={drafts.texts[setting.key]}
                    disabled={disabled}
                    onText={(text) => drafts.set(setting.key, text)}
                  />
                )
              )
            })}
          </tbody>
        )
      })}
    </table>
  )
}

function Legend() {
  const { t } = useTranslation('settings')
  return (
    <span className="legend" aria-hidden="true">
      <svg viewBox="0 0 12 12" className="setting-track" aria-hidden="true">
        <circle className="ring" cx="6" cy="6" r="4.5" />
      </svg>
      {t('desired')}
      <svg viewBox="0 0 4 12" className="setting-track bar" aria-hidden="true">
        <path className="reported" d="M2 0v12" />
      </svg>
      {t('reported')}
      <svg viewBox="0 0 16 12" className="setting-track wide" aria-hidden="true">
        <path className="band" d="M0 6h16" />
      </svg>
      {t('normalBand')}
    </span>
  )
}

function GroupNote({ group, line }: { group: SettingGroup; line: LineSettings }) {
  const { t } = useTranslation('settings')
  const rated = line.RatedCurrentA
  if (group === 'overload')
    return <small>{rated === null ? t('ratedUnknown') : `In = ${shown(rated)} A, 1.2In = ${shown(rated * 1.2)} A`}</small>
  if (group !== 'voltage') return null
  const { over, under } = voltageBand(line.Model)
  return <small>{t('bandNote', { over: over.join('–'), under: under.join('–') })}</small>
}
