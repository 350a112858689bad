import { describeParameters, faults } from '@linewarden/simulator'

const whose = {
  line: 'Of a line',
  detector: 'Of a detector',
  gateway: 'Of a gateway and its cabinet',
} as const

const head = `# Faults of the simulator

Written by \`npm run docs:devices\` from [apps/simulator/src/faults](../apps/simulator/src/faults). A fault changes the simulated plant and stays until it is mended; what is read, reported and raised
follows from physics. How they are put in: [operations.md](operations.md), "Faults, scenarios and replays".

\`\`\`sh
npm run simulate -- inject WH06-T1/2 contactHeating excessK=40 over=2h phase=B
\`\`\`

\`\`\`yaml
- { at: 5s, target: WH06-T1/2, fault: contactHeating, with: { excessK: 40, over: 2h, phase: B } }
\`\`\`

Each parameter stands with its default; of \`A|B|C\` the first is it. Durations are written with \`ms\`, \`s\`, \`m\`, \`h\`, \`d\` or \`w\` and are of the plant's time. What a line has, what feeds it has too: currents, leakage and power add
up along the feed tree at every moment, and what is wrong with a supply is seen by everything downstream.
`

/** Every fault there is, with what can be said of it. */
export function faultsDocument(): string {
  const tables = (Object.keys(whose) as (keyof typeof whose)[]).map((kind) => {
    const rows = Object.entries(faults[kind]).map(([name, { about, parameters }]) => {
      const given = describeParameters(parameters).replaceAll('|', '\\|')
      return `| \`${name}\` | ${given === '' ? '' : `\`${given}\``} | ${about} |`
    })
    return [`## ${whose[kind]}`, '', '| fault | parameters | what happens |', '| --- | --- | --- |', ...rows, ''].join('\n')
  })
  return [head, ...tables].join('\n')
}
