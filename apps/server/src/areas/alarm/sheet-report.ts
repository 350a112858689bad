import { Refusal, text } from '@linewarden/contract'
import { listFormat } from '../../http/list-report.ts'
import type { ReportSource } from '../../http/report-source.ts'
import { inLanguage } from '../../http/table-file.ts'
import type { Alarms } from './service.ts'

const words = {
  alarms: text('报警', 'Alarms'),
  unanswered: text('尚无说明', 'No answer'),
} as const
const wholeOnly = { zh: '报警合理化表按整个项目发送', en: 'is of the whole project: leave it out' }

/** The rationalisation sheet as it is in force when it is made. */
export function rationaleReport({ rationalesFile }: Pick<Alarms, 'rationalesFile'>): ReportSource {
  return {
    check(_, __, { DeviceID }) {
      if (DeviceID !== undefined) throw new Refusal('invalid parameter', {}, [{ Path: 'body.Scope.DeviceID', Text: wholeOnly }])
    },
    known: async () => null,
    async make(actor, asked) {
      const { project, language } = asked
      const wanted = { Format: listFormat(asked), Language: language }
      const { file, total, unanswered } = await rationalesFile(actor, project, wanted)
      const figure = (label: keyof typeof words, value: number) => ({
        label: inLanguage(words[label], language),
        value: String(value),
      })
      return { figures: [figure('alarms', total), figure('unanswered', unanswered)], table: null, file }
    },
  }
}
