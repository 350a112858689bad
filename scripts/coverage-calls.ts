import { coverage, coverageReport } from './call-coverage.ts'

const sections = coverage()
process.stdout.write(coverageReport(sections))
if (sections.some(({ missing }) => missing.length > 0)) process.exitCode = 1
