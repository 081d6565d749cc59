import type { Script } from './script.js';

/** For PowerShell 5 and newer. It completes paths itself if nothing else is offered. */
export const powershell: Script = ({ node, entry }) => `\
# Completes gobonnie's command lines in PowerShell.
#
# To have it in every shell, put this line into the file $PROFILE:
#   gobonnie completion powershell | Out-String | Invoke-Expression
#
# It also works after npx gobonnie once it is loaded.

Register-ArgumentCompleter -Native -CommandName gobonnie, npx -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { $_.Extent.Text })
  $at = 0
  if ($words[0] -like 'npx*') {
    $at = 1
    while ($at -lt $words.Count -and $words[$at] -like '-*') { $at++ }
    if ($at -ge $words.Count -or $words[$at] -ne 'gobonnie') { return }
  }
  $before = @($words | Select-Object -Skip ($at + 1))
  if ((Test-Path -LiteralPath ${quoted(node)}) -and (Test-Path -LiteralPath ${quoted(entry)})) {
    $answer = @(& ${quoted(node)} ${quoted(entry)} __complete ".$wordToComplete" @before 2>$null)
  } else {
    $answer = @(& gobonnie __complete ".$wordToComplete" @before 2>$null)
  }
  $prefix = if ($wordToComplete -match '^-[^=]*=') { $Matches[0] } else { '' }
  $answer | Select-Object -Skip 1 | ForEach-Object {
    $word, $help = $_ -split "\`t", 2
    if (-not $help) { $help = $word }
    [System.Management.Automation.CompletionResult]::new("$prefix$word", $word, 'ParameterValue', $help)
  }
}
`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
