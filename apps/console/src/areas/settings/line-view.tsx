import type { LineSettings } from '@linewarden/contract'
import { updateLine } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { validSeconds } from '@linewarden/rules/control'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { changeRows, targetAt } from './change-rows.ts'
import { resultOf, showResults } from './changes.ts'
import type { Drafts } from './drafts.ts'
import { IntervalDialog } from './interval-dialog.tsx'
import { ParamTable } from './param-table.tsx'
import { Pending } from './pending.tsx'
import { targetOf } from './queries.ts'
import { Results } from './results.tsx'
import { SendDialog } from './send-dialog.tsx'
import { bypassedBy, draftOf, faultOf, shown } from './values.ts'

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
  const wrong = family.settings.filter((setting) => {
    const state = line.Settings.find(({ Key }) => Key === setting.key)
    const value = wanted[setting.key]
    return state && value !== undefined && faultOf(setting, state, value, line) !== null
  })
  return (
    <div className="params">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label={t('views.line')}>
        <ParamTable family={family} line={line} drafts={drafts} disabled={mayNot === t('sharedCannot')} />
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
