"""Those who decide: action languages, the small policy that learns on a CPU, scripted baselines."""
