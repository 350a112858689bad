import type { LineSettings } from '@linewarden/contract'
import { setReportingInterval, updateLine } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { validSeconds } from '@linewarden/rules/control'
import { reportingInterval, settingFault, voltageBand } from '@linewarden/rules/settings'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { TextField } from '../../ui/fields.tsx'
import { changeRows, targetAt } from './change-rows.ts'
import { resultOf, showResults } from './changes.ts'
import type { Drafts } from './drafts.ts'
import { ParamRow } from './param-row.tsx'
import { Pending } from './pending.tsx'
import { targetOf } from './queries.ts'
import { Results } from './results.tsx'
import { SendDialog } from './send-dialog.tsx'
import type { SettingGroup } from './values.ts'
import { bypassedBy, draftOf, faultOf, groupOf, said, shown } from './values.ts'

const groups: readonly SettingGroup[] = ['overload', 'voltage', 'residual', 'temperature', 'other']

/** The form of one line, and beside it what is about to be sent and what became of it. */
export function LineView({
  lineRef,
  family,
  line,
  drafts,
  mayNot,
}: {
  lineRef: LineRef
  family: Family
  line: LineSettings
  drafts: Drafts
  /** Why nothing can be sent; null when it can. */
  mayNot: string | null
}) {
  const { t } = useTranslation('settings')
  const [asking, setAsking] = useState<'send' | 'interval' | null>(null)
  const wanted = draftOf(line, drafts.texts)
  const target = targetOf(lineRef)
  const stateOf = (key: string) => line.Settings.find(({ Key }) => Key === key)
  const wrong = family.settings.filter((setting) => {
    const state = stateOf(setting.key)
    const value = wanted[setting.key]
    return state && value !== undefined && faultOf(setting, state, value, line) !== null
  })
  return (
    <div className="params">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label={t('views.line')}>
        <table className="param-table" aria-label={t('title')}>
          <thead>
            <tr>
              <th>{t('parameter')}</th>
              <th>{t('desired')}</th>
              <th className="end">{t('reported')}</th>
              <th className="range">
                {t('range')} <Legend />
              </th>
              <th>{t('state')}</th>
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
                  const state = stateOf(setting.key)
                  return (
                    state && (
                      <ParamRow
                        key={setting.key}
                        setting={setting}
                        state={state}
                        line={line}
                        text={drafts.texts[setting.key]}
                        disabled={mayNot === t('sharedCannot')}
                        onText={(text) => drafts.set(setting.key, text)}
                      />
                    )
                  )
                })}
              </tbody>
            )
          })}
        </table>
        <p className="interval">
          <b>{t('groups.gateway')}</b>
          <span>{line.GatewayName}</span>
          <span className="mute">{t('interval')}</span>
          <span>{shown(line.IntervalSeconds)} s</span>
          <ReasonedButton className="btn small" reason={mayNot} onClick={() => setAsking('interval')}>
            {t('edit')}
          </ReasonedButton>
        </p>
      </section>
      <aside className="beside">
        <Pending
          family={family}
          line={line}
          wanted={wanted}
          wrong={wrong.map(({ key }) => key)}
          mayNot={mayNot}
          onSend={() => setAsking('send')}
          onDiscard={drafts.clear}
        />
        <Results nameOf={({ Change }) => Change?.LineName ?? line.LineName} />
      </aside>
      {asking === 'send' && (
        <SendDialog
          title={t('sendTitle', { name: line.LineName })}
          what={t('sendWhat', { seconds: validSeconds('set') })}
          intent={{ lines: [target], settings: wanted }}
          rows={changeRows(family.settings, [line], wanted, new Set(bypassedBy(family, line, wanted)))}
          targets={[targetAt(lineRef)]}
          onClose={() => setAsking(null)}
          onSend={async ({ id, ...why }) => {
            const Settings = Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }))
            showResults([resultOf(await api.call(updateLine, { body: { ...target, Settings, CommandID: id, ...why } }))])
            drafts.clear()
          }}
        />
      )}
      {asking === 'interval' && <IntervalDialog line={line} project={lineRef.project.Name} onClose={() => setAsking(null)} />}
    </div>
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

function IntervalDialog({ line, project, onClose }: { line: LineSettings; project: string; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const [text, setText] = useState(shown(line.IntervalSeconds))
  const seconds = Number(text)
  const { min, max, unit } = reportingInterval
  const wrong = text.trim() === '' || settingFault(reportingInterval, seconds, '', null) !== null
  const range = t('mustBe', { min: shown(Number(min)), max: shown(Number(max)), unit })
  return (
    <SendDialog
      title={t('intervalTitle', { name: line.GatewayName })}
      what={t('intervalWhat')}
      intent={{ gateway: line.DeviceID, settings: { [reportingInterval.key]: seconds } }}
      rows={[
        {
          name: t('interval'),
          from: said(reportingInterval, line.IntervalSeconds),
          to: wrong ? '–' : said(reportingInterval, seconds),
          isBypass: false,
        },
      ]}
      targets={[{ name: line.GatewayName, place: [project] }]}
      onClose={onClose}
      blocked={wrong ? range : null}
      onSend={async ({ id, ...why }) => {
        const body = { DeviceID: line.DeviceID, Seconds: seconds, CommandID: id, ...why }
        showResults([resultOf(await api.call(setReportingInterval, { body }))])
      }}
    >
      <TextField
        label={t('interval')}
        value={text}
        onChange={setText}
        unit="s"
        inputMode="numeric"
        error={wrong ? range : null}
      />
    </SendDialog>
  )
}
