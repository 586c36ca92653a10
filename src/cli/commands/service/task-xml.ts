import { withFacts } from './facts.js'
import { xml } from './launchd-plist.js'
import type { ServicePlan } from './plan.js'

/** The task as Windows' scheduler reads it. */
export const taskXml = (plan: ServicePlan, log: string): string => {
  const line = [...plan.command, ...plan.args].map((word) => `"${word}"`).join(' ')
  const trigger = plan.isSystem ? 'BootTrigger' : 'LogonTrigger'
  return withFacts(
    `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Pegboard, one board for every tool of AI agents</Description>
  </RegistrationInfo>
  <Triggers>
    <${trigger}>
      <Enabled>true</Enabled>
    </${trigger}>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>5</Count>
    </RestartOnFailure>
  </Settings>
  <Actions>
    <Exec>
      <Command>cmd.exe</Command>
      <Arguments>${xml(`/d /s /c "set "PATH=${plan.path.join(';')}" & ${line} >> "${log}" 2>&1"`)}</Arguments>
    </Exec>
  </Actions>
</Task>
`,
    plan,
    (text) => `<!-- ${text} -->`,
  )
}
