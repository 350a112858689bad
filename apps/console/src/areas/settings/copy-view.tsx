import type { LineSettings, SettingTemplate } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { settingProblems } from '@linewarden/rules/settings'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { TargetChoice, ValueChoice } from './copy-choice.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { useTemplates } from './queries.ts'
import { Results } from './results.tsx'

/** The values of this line, or of a template, to many lines of the same kind. Each is checked against its own range before anything leaves. */
export function CopyView({
  lineRef,
  family,
  line,
  all,
  mayNot,
}: {
  lineRef: LineRef
  family: Family
  line: LineSettings
  all: readonly LineRef[]
  mayNot: string | null
}) {
  const { t } = useTranslation('settings')
  const [query] = useSearchParams()
  const templates = useTemplates(family.key)
  const template = templates.data?.find(({ TemplateID }) => String(TemplateID) === query.get('template')) ?? null
  const values = useMemo(() => valuesToCopy(line, template), [line, template])
  const others = useMemo(
    () => all.filter((each) => each.family === family && (template !== null || each.line.LineID !== lineRef.line.LineID)),
    [all, family, lineRef, template],
  )
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [asking, setAsking] = useState(false)
  const wanted = Object.fromEntries([...values].filter(([key]) => !leftOut.has(key)))
  const fitting = others.filter((each) => isInRange(family, each, wanted))
  const targets = fitting.filter((each) => chosen.has(each.line.LineID))
  const names = useMemo(
    () => new Map(all.map((each) => [`${each.device.ControllerID}/${each.line.LineNo}`, each.line.LineName])),
    [all],
  )
  // Without the template that was asked for nothing is sent in its stead.
  if (query.has('template') && !templates.data) return <Unloaded query={templates} />
  return (
    <div className="params">
      <div className="scroll copying">
        <p className="mute">{t('copyWhat')}</p>
        <ValueChoice
          family={family}
          from={template?.Name ?? line.LineName}
          values={values}
          leftOut={leftOut}
          onChange={setLeftOut}
        />
        <TargetChoice lines={others} fitting={fitting} chosen={chosen} onChange={setChosen} />
      </div>
      <aside className="beside">
        <section aria-label={t('willSend')}>
          <h3>{t('willSend')}</h3>
          {mayNot && <p className="mute">{mayNot}</p>}
          <p className="acts">
            <ReasonedButton
              className="btn primary"
              reason={mayNot ?? (targets.length === 0 || Object.keys(wanted).length === 0 ? t('chooseSome') : null)}
              onClick={() => setAsking(true)}
            >
              {targets.length === 0 ? t('chooseSome') : t('sendTo', { count: targets.length })}
            </ReasonedButton>
          </p>
        </section>
        <Results nameOf={({ ControllerID, LineNo }) => names.get(`${ControllerID}/${LineNo}`) ?? ControllerID} />
      </aside>
      {asking && (
        <CopyDialog
          family={family}
          targets={targets}
          wanted={wanted}
          template={template}
          onSent={() => setChosen(new Set())}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

/** By the settings' keys. Of a line as it reports: what was ordered there and never confirmed is nothing to hand on. */
const valuesToCopy = (line: LineSettings, template: SettingTemplate | null): ReadonlyMap<string, number> =>
  new Map(
    template
      ? template.Settings.map(({ Key, Value }) => [Key, Value] as const)
      : line.Settings.flatMap(({ Key, Reported }) => (Reported === null ? [] : [[Key, Reported] as const])),
  )

const isInRange = (family: Family, { device, line }: LineRef, wanted: Readonly<Record<string, number>>): boolean =>
  settingProblems({ family, model: device.Model, ratedCurrentA: line.RatedCurrentA }, wanted).length === 0
